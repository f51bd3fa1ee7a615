package io.millrace.spring.boot3;

import io.millrace.spring.contract.SliceContractTest;

class SliceTest extends SliceContractTest {}
