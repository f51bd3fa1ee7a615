package io.millrace.spring.boot3;

import io.millrace.spring.contract.ConsoleAccessContractTest;

class ConsoleAccessTest extends ConsoleAccessContractTest {}
