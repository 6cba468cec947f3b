package shedjoin.bench

import java.nio.file.{Files, Path}

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.{Try, Using}

/** Seconds of CPU time of this process, by what they were spent for; Spark's planning and bookkeeping is in `rest`. */
final case class CpuUse(total: Double, tasks: Double, compilers: Double, collector: Double) {
  def rest: Double = total - tasks - compilers - collector

  def -(other: CpuUse): CpuUse = CpuUse(
    total - other.total,
    tasks - other.tasks,
    compilers - other.compilers,
    collector - other.collector
  )
}

object CpuUse {
  private val TicksASecond = 100.0

  /** What each thread had taken when it was last looked at, and what all of one name have. */
  private val lastSeen = mutable.Map.empty[Path, Double]
  private val taken = mutable.Map.empty[String, Double].withDefaultValue(0)

  /** So far; the parts are as of when each thread was last seen alive, and 0 where the machine does not tell. */
  def now(): CpuUse = synchronized {
    look()
    def of(names: String*) = taken.collect { case (name, seconds) if names.exists(name.startsWith) => seconds }.sum
    CpuUse(Machine.cpuSeconds, of("Executor task"), of("C1 Comp", "C2 Comp"), of("GC Thread", "G1 ", "VM Thread"))
  }

  private def look(): Unit = byThread().foreach { case (thread, name, seconds) =>
    // A number may come again, for another thread that took less.
    val before = lastSeen.get(thread).filter(_ <= seconds)
    taken(name) += seconds - before.getOrElse(0.0)
    lastSeen(thread) = seconds
  }

  /** As Linux says it: a thread, its name and its time in user and system mode. */
  private def byThread(): Seq[(Path, String, Double)] =
    Try(Using.resource(Files.list(Path.of("/proc/self/task")))(_.iterator.asScala.toVector))
      .getOrElse(Vector.empty)
      .flatMap { thread =>
        Try {
          val line = Files.readString(thread.resolve("stat"))
          val name = line.substring(line.indexOf('(') + 1, line.lastIndexOf(')'))
          val fields = line.substring(line.lastIndexOf(')') + 2).split(' ')
          (thread, name, (fields(11).toLong + fields(12).toLong) / TicksASecond)
        }.toOption
      }
}
