package io.millrace.engine.jmx;

import io.millrace.management.JobEngineMBean;
import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The place of one bean in the platform MBean server. */
final class Registration implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Registration.class);

  /** The most beans of a type that share a name; each gets the next free number. */
  private static final int INSTANCE_COUNT_MAX = 1_000;

  private final ObjectName name;

  private Registration(ObjectName name) {
    this.name = name;
  }

  static <T> Registration of(VisibleBean<T> visible) throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    StandardMBean bean = new StandardMBean(visible.bean(), visible.shape(), false);
    for (int instance = 1; instance <= INSTANCE_COUNT_MAX; instance++) {
      try {
        ObjectName name = name(visible, instance);
        return new Registration(server.registerMBean(bean, name).getObjectName());
      } catch (InstanceAlreadyExistsException e) {
        LOG.debug("name is taken: name={}, instance={}", visible.name(), instance);
      }
    }
    throw new InstanceAlreadyExistsException("every name is taken: " + visible.name());
  }

  @Override
  public void close() throws JMException {
    ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
  }

  private static ObjectName name(VisibleBean<?> bean, int instance) throws JMException {
    String plain =
        JobEngineMBean.DOMAIN + ":type=" + bean.type() + ",name=" + ObjectName.quote(bean.name());
    return new ObjectName(instance == 1 ? plain : plain + ",instance=" + instance);
  }
}
