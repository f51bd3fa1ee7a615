package io.millrace.spring.boot3;

import io.millrace.spring.contract.EngineContractTest;

class EngineTest extends EngineContractTest {}
