package shedjoin.core.policy.ijoin

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.policy.{PolicyCases, PolicyHistory, PolicyRegistry, RowFacts, TestRow, TestRows}
import shedjoin.core.{Budget, Seeded}

/** Corners of IJOIN that random histories do not come to. */
class IJoinPolicySuite extends AnyFunSuite with Seeded {

  final private class Fixture(settings: IJoinSettings) {
    private val rows = new TestRows
    val policy = new IJoinPolicy(settings, rows, Budget.unlimited)

    /** Stores a row that was matched so often as it came. */
    def store(id: Int, at: Long, importance: Double, matches: Int, lastTick: Long = RowFacts.Never): Unit = {
      policy.advance(at)
      rows.stored(id) = TestRow(0, 0, lastTick, importance, content = id, arrival = at)
      policy.arrived(id, matches)
    }
  }

  private val settings = IJoinSettings(maturity = 2, patience = 3, penalty = 1, decay = .5, initial = 0)
  private val lasting = settings.copy(penalty = 0, decay = 0)

  test("a row of less importance than nothing is worth nothing, and does not gain by waiting") {
    val fixture = new Fixture(settings)
    import fixture.policy
    fixture.store(0, at = 0, importance = -200, matches = 1)
    fixture.store(1, at = 0, importance = .1, matches = 1)
    Seq(8L -> 1, 10L -> 0).foreach { case (tick, row) =>
      policy.advance(tick)
      policy.matched(row)
    }
    (13L to 20L).foreach { tick =>
      policy.advance(tick)
      policy.checkInvariants()
      assert(policy.nextVictim() == 1, s"at tick $tick: matched longer ago")
    }
  }

  test("an order that all but lasts for ever is not looked at again at each tick") {
    val fixture = new Fixture(lasting)
    import fixture.policy
    fixture.store(0, at = 0, importance = .1, matches = 3)
    fixture.store(1, at = 2000, importance = .3, matches = 1)
    policy.advance(3000)
    assert(.1 * 3 > .3 && policy.priorities.isEarlier(0, 1) && policy.priorities.holdsUntil(0, 1) > 1000000)
  }

  test("of rows that came at once the same one goes first at every age, however near they are") {
    val fixture = new Fixture(lasting)
    import fixture.policy
    fixture.store(0, at = 0, importance = .3, matches = 3)
    fixture.store(1, at = 0, importance = .9, matches = 1, lastTick = 1000)
    assert(.3 * 3 < .9)
    (3L to 50L).foreach { tick =>
      policy.advance(tick)
      policy.checkInvariants()
      assert(policy.priorities.isEarlier(0, 1) && policy.nextVictim() == 0, s"at tick $tick")
    }
  }

  test("of rows that pay the same what they met decides, however little it is beside that") {
    val fixture = new Fixture(settings)
    import fixture.policy
    fixture.store(0, at = 0, importance = 4, matches = 1)
    fixture.store(1, at = 0, importance = 5, matches = 1, lastTick = 1000)
    assert(5 * math.exp(-.5 * 80) / 80 - 80 == -80.0)
    (3L to 80L).foreach { tick =>
      policy.advance(tick)
      policy.checkInvariants()
      assert(policy.nextVictim() == 0, s"at tick $tick")
    }
  }

  test("which row goes does not depend on how often that was asked") {
    PolicyCases.all.filter(_.name == "ijoin").foreach { policy =>
      histories(20) { random =>
        val seed = random.nextLong()
        def history =
          new PolicyHistory(PolicyRegistry(policy.name), policy.settings, Budget.unlimited, new Random(seed))
        val (often, seldom) = (history, history)
        (1 to 200).foreach { step =>
          often.step()
          seldom.step()
          val victim = often.policy.nextVictim()
          if (step % 50 == 0) assert(seldom.policy.nextVictim() == victim, s"$policy, step $step")
        }
      }
    }
  }

  test("a row of less importance than nothing goes before one that met nothing, where it has less life left") {
    val fixture = new Fixture(settings.copy(patience = 100))
    import fixture.policy
    fixture.store(0, at = 0, importance = 1, matches = 0, lastTick = 60)
    fixture.store(1, at = 0, importance = -1, matches = 1, lastTick = 50)
    fixture.store(2, at = 0, importance = 1, matches = 1, lastTick = 40)
    Seq(1, 0, 2).foreach { row =>
      policy.advance(20)
      policy.checkInvariants()
      assert(policy.nextVictim() == row)
      policy.removed(row)
    }
  }
}
