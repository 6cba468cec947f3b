import sbt.*
import sbt.Keys.*
import sbtassembly.AssemblyKeys.*
import sbtassembly.{MergeStrategy, PathList}

/** The one jar a user loads: our modules, without Scala and without what Spark ships. */
object Packaging {

  def settings: Seq[Setting[?]] = Seq(
    assembly / assemblyOutputPath := (LocalRootProject / baseDirectory).value / "dist" / jarName,
    assembly / assemblyOption ~= (_.withIncludeScala(false)),
    assembly / assemblyMergeStrategy := {
      case PathList("META-INF", "services", _*) => MergeStrategy.filterDistinctLines
      case PathList("META-INF", "MANIFEST.MF") => MergeStrategy.discard
      case _ => MergeStrategy.deduplicate
    }
  )

  private def jarName = s"shedjoin_spark-${minor(Versions.spark)}_${minor(Versions.scala)}-${Versions.shedjoin}.jar"

  private def minor(version: String): String = version.split('.').take(2).mkString(".")
}
