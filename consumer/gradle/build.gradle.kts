plugins {
  application
}

repositories {
  mavenLocal() // until there is a release
  mavenCentral()
}

dependencies {
  implementation(platform("io.millrace:millrace-bom:0.1.0-SNAPSHOT"))
  implementation("io.millrace:millrace-worker") // brings the engine
  runtimeOnly("io.millrace:millrace-store-lmdb")
  runtimeOnly("org.slf4j:slf4j-simple:2.0.17") // or another SLF4J binding
}

tasks.withType<JavaCompile>().configureEach {
  options.release.set(17)
}

application {
  mainClass.set("Main") // gradle run
}
