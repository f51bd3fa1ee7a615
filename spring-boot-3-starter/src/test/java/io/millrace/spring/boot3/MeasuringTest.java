package io.millrace.spring.boot3;

import io.millrace.spring.contract.MeasuringContractTest;

class MeasuringTest extends MeasuringContractTest {}
