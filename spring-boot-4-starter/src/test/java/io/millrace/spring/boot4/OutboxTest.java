package io.millrace.spring.boot4;

import io.millrace.spring.contract.OutboxContractTest;

class OutboxTest extends OutboxContractTest {}
