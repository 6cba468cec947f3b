package shedjoin.core.policy

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.policy.RowFacts.NoRow
import shedjoin.core.{Budget, Seeded}

/** Victims against ranks computed from scratch for every stored row. */
class PolicyRankSuite extends AnyFunSuite with Seeded {

  /** Whether the victim has the least rank, but for rounding, and comes first among rows of the same rank. */
  private def isLeast(history: PolicyHistory, precision: Double, rank: Int => Double): Boolean = {
    val victim = history.policy.nextVictim()
    val ids = history.rows.stored.keys.toSeq
    if (ids.isEmpty) victim == NoRow
    else {
      val ranks = ids.map(id => id -> rank(id)).toMap
      val error = precision * (1e-2 + math.abs(ranks(victim)))
      ranks(victim) <= ranks.values.min + error &&
      ids.filter(isTied(history, precision, ranks, victim, _)).forall(history.rows.compareTied(victim, _) <= 0)
    }
  }

  /** Where ranks are rounded in another way here, only rows of one value are known to be equal. */
  private def isTied(history: PolicyHistory, precision: Double, ranks: Map[Int, Double], a: Int, b: Int): Boolean = {
    val (x, y) = (history.rows.stored(a), history.rows.stored(b))
    ranks(a) == ranks(b) && (precision == PolicyCase.Exact ||
      x.side == y.side && x.value == y.value && x.importance == y.importance && x.bytes == y.bytes)
  }

  private def run(policy: PolicyCase, random: Random, sign: Int): Boolean = {
    val history = new PolicyHistory(PolicyRegistry(policy.name), policy.settings, Budget.unlimited, random)
    (1 to 120).forall { _ =>
      history.step()
      history.policy.checkInvariants()
      isLeast(history, policy.precision, sign * policy.rank(history, _))
    }
  }

  PolicyCases.all.foreach { policy =>
    test(s"the row of least rank goes: $policy") {
      histories(25)(random => assert(run(policy, random, 1)))
    }
  }

  test("the order of the rows is right at every time, however far apart the ticks are") {
    Seq(13, 60000).foreach { spread =>
      PolicyCases.all.foreach { policy =>
        histories(6) { random =>
          val history =
            new PolicyHistory(PolicyRegistry(policy.name), policy.settings, Budget.unlimited, random, spread)
          (1 to 120).foreach { _ =>
            history.step()
            history.policy.checkInvariants()
          }
        }
      }
    }
  }

  test("with its rank negated, each policy is found out") {
    PolicyCases.all.foreach { policy =>
      assert((1 to 10).exists(seed => !run(policy, new Random(seed), -1)), policy)
    }
  }

  test("every policy but random has its rank checked") {
    assert(PolicyRegistry.all.map(_.name).toSet - "random" == PolicyCases.all.map(_.name).toSet)
  }
}
