package io.millrace.spring.boot4;

import io.millrace.spring.contract.ConsoleContractTest;

class ConsoleTest extends ConsoleContractTest {}
