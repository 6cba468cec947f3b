package shedjoin.sim.serve

import java.nio.file.Files

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded
import shedjoin.core.join.Side
import shedjoin.core.policy.PolicyException
import shedjoin.sim._

class SimJobSuite extends AnyFunSuite with Seeded {

  private def finished(runs: SimRun*): SimJob = {
    val job = new SimJob(runs.asJava)
    while (!job.hasEnded(100)) ()
    job
  }

  test("the timeline of a run ends at what it came to, and never falls") {
    histories(100) { random =>
      val trace = Traces.any(random)
      val settings = Traces.settings(("prob", Map.empty), random)
      val run = new SimRun(trace, settings, notesRows = false)
      val job = finished(run)
      assert(job.rowsDone == trace.rows)
      val (result, timeline) = (run.result, run.timeline)
      assert(result == Simulated(trace, settings))
      assert(run.exact.outputs == NaiveJoin(trace, settings).size)
      if (trace.rows > 0) {
        assert(
          timeline.column(SimRun.Outputs).last == result.outputs && timeline.column(SimRun.Shed).last == result.shed
        )
        assert(run.exact.outputsByPart.last == run.exact.outputs)
        assert(timeline.column(SimRun.Outputs).zip(run.exact.outputsByPart).forall { case (some, all) => some <= all })
        Seq(SimRun.Outputs, SimRun.Shed).map(timeline.column).foreach(c => assert(c.toSeq == c.toSeq.sorted))
      }
    }
  }

  test("a run notes what became of each row, and until when it was stored") {
    histories(100) { random =>
      val trace = Traces.any(random)
      val settings = Traces.settings(("random", Map.empty), random)
      val run = new SimRun(trace, settings, notesRows = true)
      finished(run)
      val fates = run.fates.fates.flatten
      assert(fates.count(_ == Fate.Shed.code) == run.result.shed)
      Seq(Side.Left, Side.Right).foreach { side =>
        val rows = trace.side(side)
        (0 until rows.size).foreach { place =>
          val until = run.fates.untils(side)(place)
          assert(until >= rows.times(place) && until <= trace.lastTick)
          if (run.fates.fates(side)(place) == Fate.Stayed.code)
            assert(settings.within.lastTick(trace, side, place) >= until)
        }
      }
    }
  }

  test("a trace goes through files as it is") {
    histories(50) { random =>
      val trace = Traces.any(random)
      val files = Seq(Side.Left, Side.Right).map { side =>
        val file = Files.createTempFile("shedjoin", ".arrow").toString
        SimEntry.writeSide(trace, side, file)
        file
      }
      val read = SimEntry.trace(files.head, files(1), trace.isStepwise)
      files.foreach(file => Files.delete(java.nio.file.Path.of(file)))
      Seq(Side.Left, Side.Right).foreach { side =>
        val (before, after) = (trace.side(side), read.side(side))
        assert(after.times.toSeq == before.times.toSeq && after.keys.toSeq == before.keys.toSeq)
        assert(after.values.toSeq == before.values.toSeq && after.importances.toSeq == before.importances.toSeq)
      }
    }
  }

  test("a job that is cancelled ends, and one that fails says why") {
    val many = Trace.ofSteps(Array.tabulate(300000)(_ % 1000L), Array.tabulate(300000)(_ % 1000L))
    val job = new SimJob(Seq.fill(8)(new SimRun(many, SimSettings("lru", memory = Memory.Shared(5000)), false)).asJava)
    job.cancel()
    while (!job.hasEnded(100)) ()
    assert(job.rowsDone < job.rowsInAll)
    val failing = new SimJob(Seq(new SimRun(many, SimSettings("best", memory = Memory.Shared(1)), false)).asJava)
    assertThrows[PolicyException](while (!failing.hasEnded(100)) ())
  }

  test("rows are joined by their keys, whatever policies see of them") {
    val times = Array(0L, 1L, 2L)
    val ones = Array.fill(3)(1.0)
    val left = TraceSide.keyed(times, Array(1L, 2L, 3L), Array(7L, 7L, 7L), ones)
    val right = TraceSide.keyed(times, Array(9L, 1L, 2L), Array(7L, 7L, 7L), ones)
    val settings = SimSettings("prob", memory = Memory.Shared(10))
    assert(Simulated(Trace(left, right, isStepwise = true), settings).outputs == 2)
  }
}
