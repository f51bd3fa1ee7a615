package io.millrace.spring.sample;

import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.spring.AfterCommit;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** A service that has mails sent. */
@Service
public class MailService {

  private final JobQueues queues;
  private final JobType<Mail> mail;
  private final AfterCommit afterCommit;
  private final JdbcTemplate database;

  MailService(
      JobQueues queues, JobType<Mail> mail, AfterCommit afterCommit, JdbcTemplate database) {
    this.queues = queues;
    this.mail = mail;
    this.afterCommit = afterCommit;
    this.database = database;
  }

  // region spring: enqueuing
  public void welcome(String address) {
    queues.enqueue(mail, new Mail(address, "Welcome!")); // returns when it is on the disk
  }

  // endregion

  // region spring: after the commit
  @Transactional
  public void register(String address) {
    database.update("insert into member (address) values (?)", address);
    afterCommit.enqueue(mail, new Mail(address, "You are a member."));
  }
  // endregion
}
