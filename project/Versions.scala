/** Every version this build depends on, in one place. */
object Versions {
  val shedjoin = "0.1.0"
  val spark = "4.2.0"
  val scala = "2.13.18"
  val java = "17"

  /** What Spark ships; `state` compiles against it and finds it in Spark's own jars. */
  val zstd = "1.5.7-7"

  /** What Spark ships, likewise, for `sim`. */
  val arrow = "19.0.0"

  /** For scalafix: the first that knows this Scala. */
  val semanticdb = "4.14.2"

  val scalatest = "3.2.19"
  val scalacheck = "3.2.19.0"
  val mockito = "3.2.19.0"
  val jol = "0.17"

  /** The folder of `jvm/spark/src/main` that holds what differs between minor versions of Spark. */
  val sparkSources: String = "spark-" + spark.split('.').take(2).mkString(".")
}
