package shedjoin.bench

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.bench.stream.Settings
import shedjoin.bench.stream.Settings.{Partition, Policies, Structures}

class SettingsSuite extends AnyFunSuite {
  private val parts = Seq(Structures, Partition, Policies)

  test("a part that is asked for by name runs alone, without Spark") {
    parts.foreach { part =>
      val settings = Settings.of(Seq("--only", part))
      assert(parts.filter(settings.takes) == Seq(part))
      assert(settings.workloads.isEmpty)
    }
  }

  test("all runs where nothing is asked for; a quick run leaves the policies out") {
    assert(parts.filter(Settings().takes) == parts)
    assert(parts.filter(Settings.of(Seq("--quick")).takes) == Seq(Structures, Partition))
    assert(Settings().workloads.nonEmpty)
  }

  test("a name that is none is refused with those that there are") {
    val error = intercept[IllegalArgumentException](Settings.of(Seq("--only", "partitions")).workloads)
    assert(error.getMessage.contains("no workload partitions; there are structures, partition, policies, base, "))
  }
}
