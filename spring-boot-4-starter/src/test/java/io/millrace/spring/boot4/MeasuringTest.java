package io.millrace.spring.boot4;

import io.millrace.spring.contract.MeasuringContractTest;

class MeasuringTest extends MeasuringContractTest {}
