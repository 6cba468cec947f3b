package shedjoin.bench.state

import java.util.concurrent.TimeUnit

import org.openjdk.jmh.annotations._
import shedjoin.core.join.Side

/** What a row costs in the state of a partition that holds `rows` of them. Each benchmark leaves the state as large as it
  * was, outside of what is timed; what it allocates for that is counted in as well.
  */
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(1000)
class StateBenchmarks {

  @Benchmark
  def insert(s: StateBenchmarks.Inserted): Unit = s.state.insert(Side.Left)

  @Benchmark
  def probe(s: StateBenchmarks.Probed): Long = s.state.probe(Side.Left)

  @Benchmark
  def expire(s: StateBenchmarks.Expired): Unit = s.state.expire(Side.Left)

  @Benchmark
  def remove(s: StateBenchmarks.Removed): Unit = s.state.remove(s.ids)
}

object StateBenchmarks {

  @State(Scope.Thread)
  class Filled {
    @Param(Array("10000", "1000000", "10000000"))
    var rows: Int = _

    var state: FilledState = _

    @Setup(Level.Trial)
    def fill(): Unit = state = new FilledState(rows)
  }

  @State(Scope.Thread)
  class Probed extends Filled

  @State(Scope.Thread)
  class Inserted extends Filled {
    @TearDown(Level.Invocation)
    def shrink(): Unit = state.expire(Side.Left)
  }

  @State(Scope.Thread)
  class Expired extends Filled {
    @TearDown(Level.Invocation)
    def grow(): Unit = state.insert(Side.Left)
  }

  @State(Scope.Thread)
  class Removed extends Filled {
    val ids = new Array[Int](FilledState.Chunk)

    @Setup(Level.Trial)
    def wear(): Unit = state.wear()

    @Setup(Level.Invocation)
    def choose(): Unit = state.choose(ids)

    @TearDown(Level.Invocation)
    def grow(): Unit = state.insert(Side.Left)
  }
}
