package io.millrace.spring.boot4;

import io.millrace.spring.contract.EngineContractTest;

class EngineTest extends EngineContractTest {}
