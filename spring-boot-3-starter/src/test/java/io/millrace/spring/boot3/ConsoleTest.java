package io.millrace.spring.boot3;

import io.millrace.spring.contract.ConsoleContractTest;

class ConsoleTest extends ConsoleContractTest {}
