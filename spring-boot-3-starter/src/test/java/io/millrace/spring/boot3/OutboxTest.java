package io.millrace.spring.boot3;

import io.millrace.spring.contract.OutboxContractTest;

class OutboxTest extends OutboxContractTest {}
