package org.apache.spark.deploy.shedjoin

import java.nio.file.Path

import org.apache.spark.SparkConf
import org.apache.spark.deploy.master.Master
import org.apache.spark.deploy.worker.Worker

/** A `local-cluster` whose two workers are on hosts of different names: Spark runs no speculative copy of a task on the
  * host of the first. It is here for what Spark keeps private.
  */
object TwoHosts {
  private val Hosts = Seq("127.0.0.1", "127.0.0.2")
  private val MemoryMb = 1024

  /** Starts master and workers in this JVM, and gives the master's address. */
  def start(work: Path): String = {
    val conf = new SparkConf().set("spark.master.rest.enabled", "false")
    val (master, _, _) = Master.startRpcEnvAndEndpoint(Hosts.head, 0, 0, conf)
    val address = s"spark://${Hosts.head}:${master.address.port}"
    Hosts.zipWithIndex.foreach { case (host, n) =>
      val folder = work.resolve(s"worker$n").toString
      Worker.startRpcEnvAndEndpoint(host, 0, 0, 1, MemoryMb, Array(address), folder, Some(n), conf)
    }
    address
  }
}
