package io.millrace.spring.autoconfigure;

/** The part that an application's own security takes in requests to the console. */
interface ConsoleSurroundings {

  /** The surroundings without any security but the console's own. */
  ConsoleSurroundings NONE =
      new ConsoleSurroundings() {
        @Override
        public void enter() {
          // The console asks by itself.
        }

        @Override
        public Runnable carried(Runnable work) {
          return work;
        }
      };

  /**
   * Sends those away who have not logged in.
   *
   * @throws RuntimeException taken by the application's security, which asks for a login
   */
  void enter();

  /** Returns work that knows on another thread, too, who asks. */
  Runnable carried(Runnable work);
}
