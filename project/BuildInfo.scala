import sbt.*
import sbt.Keys.*

/** The versions that were built, as an object that the running code can ask. */
object BuildInfo {

  def settings: Seq[Setting[?]] = Seq(Compile / sourceGenerators += Def.task {
    val file = (Compile / sourceManaged).value / "ShedJoinBuild.scala"
    IO.write(file, source)
    Seq(file)
  })

  private def source: String =
    s"""package org.apache.spark.sql.shedjoin
       |
       |/** The versions that this jar was built as, and for. */
       |object ShedJoinBuild {
       |  val version = "${Versions.shedjoin}"
       |
       |  /** The minor version of Spark. */
       |  val spark = "${Versions.spark.split('.').take(2).mkString(".")}"
       |}
       |""".stripMargin
}
