package shedjoin.core.policy

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, NoRow, RefusingBudget, Seeded}

/** What every policy of the registry keeps to. */
class PolicyContractSuite extends AnyFunSuite with Seeded {

  private val cases = PolicyCases.tried

  private def history(
      policy: (String, Map[String, String]),
      seed: Long,
      budget: Budget = Budget.unlimited,
      copies: Int = 1
  ) = new PolicyHistory(PolicyRegistry(policy._1), policy._2, budget, Seeded.random(seed), copies = copies)

  private def forEach(count: Int)(check: Long => Unit): Unit = seeds(count).foreach(seed => alone(seed)(check(seed)))

  test("every policy of the registry is tried") {
    assert(cases.map(_._1).toSet == PolicyRegistry.all.map(_.name).toSet)
  }

  cases.zipWithIndex.foreach { case (policy, number) =>
    val name = s"${policy._1}, settings $number"

    Seq((1, 8), (3, 2)).foreach { case (copies, count) =>
      val come = if (copies == 1) "come by themselves" else "come in threes"
      test(s"a policy restored in mid-stream names the same victims where rows $come: $name") {
        forEach(count) { seed =>
          val straight = history(policy, seed, copies = copies)
          val restarted = history(policy, seed, copies = copies)
          (1 to 150).foreach { step =>
            straight.step()
            restarted.step()
            if (step % 17 == seed % 17) restarted.restart()
            assert(straight.policy.nextVictim() == restarted.policy.nextVictim(), s"step $step")
          }
          assert(straight.nextVictims() == restarted.nextVictims())
        }
      }
    }

    test(s"a policy that was refused memory is as it was: $name") {
      forEach(6) { seed =>
        val random = Seeded.random(seed)
        val budget = new RefusingBudget(1L << 40)
        val straight = history(policy, seed)
        val refused = history(policy, seed, budget)
        (1 to 150).foreach { step =>
          val nth = 1 + random.nextInt(3)
          budget.watch(_ == nth)
          straight.step()
          refused.step()
          assert(straight.policy.nextVictim() == refused.policy.nextVictim(), s"step $step")
        }
        refused.policy.checkInvariants()
      }
    }

    test(s"a victim is a stored row, and the same one until something happens: $name") {
      forEach(4) { seed =>
        val one = history(policy, seed)
        (1 to 100).foreach { _ =>
          one.step()
          val victim = one.policy.nextVictim()
          assert(one.rows.stored.contains(victim) || one.rows.stored.isEmpty && victim == NoRow)
          assert(one.policy.nextVictim() == victim)
        }
        assert(one.nextVictims().size == one.rows.stored.size)
      }
    }
  }
}
