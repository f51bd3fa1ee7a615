package io.millrace.spring.boot4;

import io.millrace.spring.contract.AfterCommitContractTest;

class AfterCommitTest extends AfterCommitContractTest {}
