package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Certificates and keys in PEM, made by the JDK's tool in a folder of a test. */
final class Keytool {

  private static final String PASSWORD = "secret";

  private final Path folder;

  Keytool(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes a certificate that vouches for itself, and its key: {@code NAME.pem}, {@code NAME.key}.
   */
  void make(String name, String... more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("-genkeypair", "-keyalg", "EC", "-dname", "CN=" + name, "-alias", name));
    command.addAll(List.of(more));
    run(command);
    Key key = keys().getKey(name, PASSWORD.toCharArray());
    write(name + ".key", "PRIVATE KEY", List.of(key.getEncoded()));
    writeCertificates(name);
  }

  /** Replaces the certificate of one by that which another issues for it. */
  void issue(String issuer, String of, String... more) throws Exception {
    Path request = folder.resolve(of + ".request");
    Path issued = folder.resolve(of + ".issued");
    run(List.of("-certreq", "-alias", of, "-file", request.toString()));
    List<String> command =
        new ArrayList<>(
            List.of(
                "-gencert",
                "-alias",
                issuer,
                "-infile",
                request.toString(),
                "-outfile",
                issued.toString()));
    command.addAll(List.of(more));
    run(command);
    run(List.of("-importcert", "-noprompt", "-alias", of, "-file", issued.toString()));
    writeCertificates(of);
  }

  Path certificates(String name) {
    return folder.resolve(name + ".pem");
  }

  Path key(String name) {
    return folder.resolve(name + ".key");
  }

  private void writeCertificates(String name) throws Exception {
    List<byte[]> chain = new ArrayList<>();
    for (Certificate each : keys().getCertificateChain(name)) {
      chain.add(each.getEncoded());
    }
    write(name + ".pem", "CERTIFICATE", chain);
  }

  private Path store() {
    return folder.resolve("keys.p12");
  }

  private KeyStore keys() throws Exception {
    return KeyStore.getInstance(store().toFile(), PASSWORD.toCharArray());
  }

  private void run(List<String> command) throws Exception {
    List<String> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    all.addAll(command);
    all.addAll(List.of("-keystore", store().toString(), "-storepass", PASSWORD));
    Path output = folder.resolve("output");
    Process keytool =
        new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    assertThat(keytool.waitFor()).as(Files.readString(output)).isZero();
  }

  private void write(String name, String what, List<byte[]> parts) throws IOException {
    StringBuilder text = new StringBuilder();
    for (byte[] bytes : parts) {
      text.append("-----BEGIN ").append(what).append("-----\n");
      text.append(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes));
      text.append("\n-----END ").append(what).append("-----\n");
    }
    Files.writeString(folder.resolve(name), text);
  }
}
