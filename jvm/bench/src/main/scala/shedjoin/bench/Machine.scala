package shedjoin.bench

import java.lang.management.{BufferPoolMXBean, ManagementFactory}
import java.nio.file.{Files, Path}
import javax.management.ObjectName

import scala.jdk.CollectionConverters._
import scala.util.Try

/** What can be asked of the machine and of this process. */
object Machine {
  private val process =
    ManagementFactory.getPlatformMXBean(classOf[com.sun.management.OperatingSystemMXBean])

  /** CPU time of all threads of this process, the garbage collector's and the compilers' included. */
  def cpuSeconds: Double = process.getProcessCpuTime / 1e9

  /** What this process holds, up to a constant: bytes reachable on the heap, and the memory that the machine gave it. The
    * latter varies with what is off the heap alone, if the heap's pages were all touched at the start. Takes seconds.
    */
  def heldBytes(): Long = {
    // References that are cleaned at the first collection free at the second what they held.
    System.gc()
    System.gc()
    trimNativeHeap()
    ManagementFactory.getMemoryMXBean.getHeapMemoryUsage.getUsed + residentBytes.getOrElse(directBytes)
  }

  def maxHeapBytes: Long = Runtime.getRuntime.maxMemory

  def description: String = {
    val memory = process.getTotalMemorySize / (1 << 30)
    s"$cpuModel, ${Runtime.getRuntime.availableProcessors} cores, $memory GiB, ${System.getProperty("os.name")} " +
      s"${System.getProperty("os.version")}, heap ${maxHeapBytes >> 20} MiB"
  }

  def java: String = s"${System.getProperty("java.vm.name")} ${System.getProperty("java.version")}"

  /** Has the C library give back what was freed, as far as this JVM knows how. */
  private def trimNativeHeap(): Unit = {
    val commands = new ObjectName("com.sun.management:type=DiagnosticCommand")
    Try(ManagementFactory.getPlatformMBeanServer.invoke(commands, "systemTrimNativeHeap", null, null))
    ()
  }

  /** As Linux says it. */
  private def residentBytes: Option[Long] = Try {
    val line = Files.readAllLines(Path.of("/proc/self/status")).asScala.find(_.startsWith("VmRSS:"))
    line.get.split("\\s+")(1).toLong * 1024
  }.toOption

  private def directBytes: Long =
    ManagementFactory.getPlatformMXBeans(classOf[BufferPoolMXBean]).asScala.map(_.getMemoryUsed).filter(_ > 0).sum

  private def cpuModel: String = Try {
    val lines = Files.readAllLines(Path.of("/proc/cpuinfo")).asScala
    lines.find(_.startsWith("model name")).map(_.split(':')(1).trim).getOrElse("unknown")
  }.getOrElse(System.getProperty("os.arch"))
}
