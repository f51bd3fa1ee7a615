package io.millrace.spring.boot4;

import io.millrace.spring.contract.SliceContractTest;

class SliceTest extends SliceContractTest {}
