package io.millrace.spring.boot3;

import io.millrace.spring.contract.WorkerContractTest;

class WorkerTest extends WorkerContractTest {}
