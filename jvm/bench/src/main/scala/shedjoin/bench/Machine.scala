package shedjoin.bench

import java.lang.management.{BufferPoolMXBean, ManagementFactory}
import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._
import scala.util.Try

/** What can be asked of the machine and of this process. */
object Machine {
  private val process =
    ManagementFactory.getPlatformMXBean(classOf[com.sun.management.OperatingSystemMXBean])

  /** CPU time of all threads of this process, the garbage collector's and the compilers' included. */
  def cpuSeconds: Double = process.getProcessCpuTime / 1e9

  /** Bytes that are reachable on the heap, and those of direct buffers. Collects garbage: takes a second. */
  def heldBytes(): Long = {
    // References that are cleaned at the first collection free at the second what they held.
    System.gc()
    System.gc()
    val direct = ManagementFactory.getPlatformMXBeans(classOf[BufferPoolMXBean]).asScala.map(_.getMemoryUsed)
    ManagementFactory.getMemoryMXBean.getHeapMemoryUsage.getUsed + direct.filter(_ > 0).sum
  }

  def maxHeapBytes: Long = Runtime.getRuntime.maxMemory

  def description: String = {
    val memory = process.getTotalMemorySize / (1 << 30)
    s"$cpuModel, ${Runtime.getRuntime.availableProcessors} cores, $memory GiB, ${System.getProperty("os.name")} " +
      s"${System.getProperty("os.version")}, heap ${maxHeapBytes >> 20} MiB"
  }

  def java: String = s"${System.getProperty("java.vm.name")} ${System.getProperty("java.version")}"

  private def cpuModel: String = Try {
    val lines = Files.readAllLines(Path.of("/proc/cpuinfo")).asScala
    lines.find(_.startsWith("model name")).map(_.split(':')(1).trim).getOrElse("unknown")
  }.getOrElse(System.getProperty("os.arch"))
}
