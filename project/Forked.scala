import sbt.*
import sbt.Keys.*

/** How a test JVM that runs Spark is started: what Spark asks of Java 17, a folder to litter, logs in a file. */
object Forked {

  /** The packages that Spark reaches into. */
  val opened: Seq[String] = Seq(
    "java.lang",
    "java.lang.invoke",
    "java.lang.reflect",
    "java.io",
    "java.net",
    "java.nio",
    "java.util",
    "java.util.concurrent",
    "java.util.concurrent.atomic",
    "jdk.internal.ref",
    "sun.nio.ch",
    "sun.nio.cs",
    "sun.security.action",
    "sun.util.calendar"
  )

  /** Passes on to the tests the system properties of sbt that are ours, as they are. */
  val passingOn: Setting[?] = Test / javaOptions ++= sys.props.toSeq.collect {
    case (key, value) if key.startsWith("shedjoin.") => s"-D$key=$value"
  }

  def settings: Seq[Setting[?]] = Seq(
    Test / fork := true,
    Test / forkOptions := (Test / forkOptions).value.withWorkingDirectory(home(target.value)),
    Test / javaOptions ++= opened.map(p => s"--add-opens=java.base/$p=ALL-UNNAMED"),
    Test / javaOptions ++= Seq(
      "-Xmx4g",
      "-Xss4m",
      "-ea",
      // Most of Spark's code runs too seldom here to be worth the second compiler, which took two fifths of the time.
      "-XX:TieredStopAtLevel=1",
      "-XX:ReservedCodeCacheSize=240m",
      "-Dspark.hadoop.fs.file.impl=org.apache.spark.sql.shedjoin.UnpermittedFileSystem",
      "-XX:+IgnoreUnrecognizedVMOptions",
      "-Dio.netty.tryReflectionSetAccessible=true",
      "-Dspark.testing=true",
      "-Dspark.ui.enabled=false",
      "-Dspark.ui.showConsoleProgress=false",
      "-Dspark.memory.debugFill=true",
      s"-Dspark.test.home=${home(target.value)}",
      s"-Djava.io.tmpdir=${tmp(target.value)}",
      s"-Dlog4j2.configurationFile=${((LocalRootProject / baseDirectory).value / "project" / "log4j2.properties").toURI}",
      s"-Dshedjoin.logFile=${target.value / "test.log"}"
    )
  )

  /** The suites whose names contain `part` run in a JVM of their own, which can run beside that of the others. */
  def apart(part: String): Setting[?] = Test / testGrouping := {
    val options = Tests.SubProcess((Test / forkOptions).value)
    val (some, others) = (Test / definedTests).value.partition(_.name.contains(part))
    Seq(new Tests.Group(part, some, options), new Tests.Group("others", others, options))
  }

  private def home(target: File): File = folder(target / "test-home")

  private def tmp(target: File): File = folder(target / "test-tmp")

  private def folder(f: File): File = { IO.createDirectory(f); f }
}
