package io.millrace.spring.boot3;

import io.millrace.spring.contract.HandlersContractTest;

class HandlersTest extends HandlersContractTest {}
