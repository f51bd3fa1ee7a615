package io.millrace.spring.boot3;

import io.millrace.spring.contract.QueuesContractTest;

class QueuesTest extends QueuesContractTest {}
