import sbt.*
import sbt.Keys.*

/** Spark's own test classes and resources, on the test class path of a project. */
object SparkTests {

  /** The jars alone: never on a class path as jars, since several of Spark's tests read resource directories. */
  val Jars: Configuration = config("sparkTestJars").hide

  val unpack = taskKey[Seq[File]]("Unpacks Spark's test jars, once, and gives their folders.")

  private val modules = Seq("core", "catalyst", "sql", "sql-api", "common-utils", "tags")

  def settings: Seq[Setting[?]] = Seq(
    ivyConfigurations += Jars,
    libraryDependencies ++= modules.map { m =>
      ("org.apache.spark" %% s"spark-$m" % Versions.spark % Jars).classifier("tests").intransitive()
    },
    unpack := {
      val under = target.value / "spark-tests"
      val log = streams.value.log
      update.value.select(configurationFilter(Jars.name)).map(unpacked(_, under, log))
    },
    Test / unmanagedClasspath ++= unpack.value.map(Attributed.blank)
  )

  private def unpacked(jar: File, under: File, log: Logger): File = {
    val folder = under / jar.base
    val stamp = under / s"${jar.base}.unpacked"
    if (!stamp.exists) {
      log.info(s"Unpacking ${jar.getName}")
      IO.delete(folder)
      IO.unzip(jar, folder)
      IO.touch(stamp)
    }
    folder
  }
}
