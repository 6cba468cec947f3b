import pl.project13.scala.sbt.JmhPlugin.JmhKeys.Jmh
import sbt.*
import sbt.Keys.*

/** How the benchmarks are started: by a plain `java`, so that no sbt stands beside what is measured. */
object Benchmarks {

  val javaArguments = taskKey[File]("Writes what `java @file` needs to run the benchmarks: class path and options.")

  def settings: Seq[Setting[?]] = Seq(
    javaArguments := {
      val file = target.value / "java.args"
      val classPath = (Jmh / fullClasspath).value.map(_.data).mkString(java.io.File.pathSeparator)
      val logs = (LocalRootProject / baseDirectory).value / "project" / "log4j2.properties"
      val options = Forked.opened.map(p => s"--add-opens=java.base/$p=ALL-UNNAMED") ++ Seq(
        "-Xss4m",
        "-Dio.netty.tryReflectionSetAccessible=true",
        s"-Dlog4j2.configurationFile=${logs.toURI}",
        s"-Dshedjoin.logFile=${target.value / "bench.log"}",
        s"-cp $classPath"
      )
      IO.writeLines(file, options)
      file
    }
  )
}
