package io.millrace.spring.boot4;

import io.millrace.spring.contract.ConsoleAccessContractTest;

class ConsoleAccessTest extends ConsoleAccessContractTest {}
