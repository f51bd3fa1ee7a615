package io.millrace.spring.boot4;

import io.millrace.spring.contract.QueuesContractTest;

class QueuesTest extends QueuesContractTest {}
