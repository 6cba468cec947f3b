package org.apache.spark.sql.shedjoin.recovery

import java.io.{BufferedReader, InputStreamReader}
import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters.{ListHasAsScala, SeqHasAsJava}

/** A `main` that runs in a JVM of its own on the class path of the tests, to be killed. */
final class DriverProcess private (process: Process, log: Path) {
  private val output = new BufferedReader(new InputStreamReader(process.getInputStream))

  /** Waits until it prints `line`; false if it ends first. */
  def awaitLine(line: String): Boolean = Iterator.continually(output.readLine()).takeWhile(_ != null).contains(line)

  /** The exit code, if it ends within that time. */
  def exitWithin(ms: Long): Option[Int] = Option.when(process.waitFor(ms, TimeUnit.MILLISECONDS))(process.exitValue)

  /** As `kill -9` does; false if it had ended already. */
  def kill(): Boolean = {
    val alive = process.isAlive
    process.destroyForcibly().waitFor()
    alive
  }

  /** Waits for its end, which must be within `DriverProcess.DeadlineMs`. */
  def exit(): Int = exitWithin(DriverProcess.DeadlineMs).getOrElse {
    kill()
    throw new AssertionError(s"the driver did not end within ${DriverProcess.DeadlineMs} ms; $story")
  }

  /** The end of what it logged, for the message of a failure. */
  def story: String =
    if (!Files.exists(log)) "it logged nothing"
    else Files.readAllLines(log).asScala.takeRight(60).mkString("its log ends:\n", "\n", "")
}

object DriverProcess {

  /** Longer than any takes, however busy the machine is. */
  private val DeadlineMs = 600_000L

  /** Starts `main` with what logs it leaves in `folder`. */
  def start(main: String, folder: Path, java: Seq[String], arguments: Seq[String]): DriverProcess = {
    val log = Files.createTempFile(Files.createDirectories(folder.resolve("logs")), "driver", ".log")
    val command = Seq(Path.of(sys.props("java.home"), "bin", "java").toString) ++ TestClasses.options ++
      Seq("-ea", "-Xmx1g", "-Xss4m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1") ++ inherited ++ java ++
      (s"-Dshedjoin.logFile=$log" +: main +: arguments)
    val builder = new ProcessBuilder(command.asJava).directory(folder.toFile)
    if (java.contains("-Dspark.testing=true")) TestClasses.environment.foreach { case (key, value) =>
      builder.environment.put(key, value)
    }
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile))
    new DriverProcess(builder.start(), log)
  }

  private def inherited: Seq[String] = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala.toSeq
    .filter(a => Seq("--add-opens", "-Dlog4j2.", "-Djava.io.tmpdir").exists(a.startsWith))
}
