package io.millrace.spring.boot4;

import io.millrace.spring.contract.WorkerContractTest;

class WorkerTest extends WorkerContractTest {}
