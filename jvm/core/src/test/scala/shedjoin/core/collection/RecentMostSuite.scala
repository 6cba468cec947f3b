package shedjoin.core.collection

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded

class RecentMostSuite extends AnyFunSuite with Seeded {

  test("the most lies between that of the latest versions and that of twice as many") {
    histories(500) { random =>
      val most = new RecentMost
      var versions = Vector(0)
      def mostOf(count: Int) = versions.takeRight(count).max
      (1 to 200).foreach { _ =>
        if (random.nextInt(3) == 0) {
          val number = random.nextInt(5)
          most.begin(number)
          versions :+= number
        } else {
          val number = random.nextInt(1 << random.nextInt(8))
          most.note(number)
          versions = versions.init :+ math.max(versions.last, number)
        }
        assert(most.value >= mostOf(RecentMost.Versions) && most.value <= mostOf(2 * RecentMost.Versions))
      }
    }
  }
}
