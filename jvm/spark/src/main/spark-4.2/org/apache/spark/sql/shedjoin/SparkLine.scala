package org.apache.spark.sql.shedjoin

/** The minor version of Spark that this folder of sources is for. */
object SparkLine {
  val version = "4.2"
}
