package io.millrace.engine.jmx;

import io.millrace.management.JobEngineMXBean;
import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One engine's place in the platform MBean server. */
final class Registration implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Registration.class);

  /** Engines may share a name; each gets the next free number. */
  private static final int INSTANCE_COUNT_MAX = 1_000;

  private final ObjectName name;

  private Registration(ObjectName name) {
    this.name = name;
  }

  static Registration of(Shown shown) throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    StandardMBean bean = new StandardMBean(new EngineBean(shown), JobEngineMXBean.class, true);
    String label = shown.label().name();
    for (int instance = 1; instance <= INSTANCE_COUNT_MAX; instance++) {
      try {
        return new Registration(server.registerMBean(bean, name(label, instance)).getObjectName());
      } catch (InstanceAlreadyExistsException e) {
        LOG.debug("name is taken: name={}, instance={}", label, instance);
      }
    }
    throw new InstanceAlreadyExistsException("every name is taken: " + label);
  }

  @Override
  public void close() throws JMException {
    ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
  }

  private static ObjectName name(String label, int instance) throws JMException {
    String plain =
        JobEngineMXBean.DOMAIN
            + ":type="
            + JobEngineMXBean.TYPE
            + ",name="
            + ObjectName.quote(label);
    return new ObjectName(instance == 1 ? plain : plain + ",instance=" + instance);
  }
}
