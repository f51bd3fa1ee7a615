package io.millrace.spring.boot4;

import io.millrace.spring.contract.HandlersContractTest;

class HandlersTest extends HandlersContractTest {}
