package shedjoin.core.policy

import shedjoin.core.Budget

/** A store of some rows, full from the first lap on: each row that comes takes the id of the one shed for it.
  *
  * @param lives how long rows can match at most
  */
final class ChurnedStore(spec: PolicySpec, settings: Map[String, String], size: Int, lives: Int = 1000) {
  val budget: Budget = new Budget(math.max(4L << 20, 256L * size))
  private val rows = new ChurnedStore.Rows(size)
  private val policy = spec(settings, PolicySetting(rows, budget, 1))
  private var seed = 1L
  private var tick = 0L
  policy.advance(tick)
  (0 until size).foreach(put)

  private def draw(bound: Int): Int = {
    seed = seed * 0x5851f42d4c957f2dL + 0x14057b7ef767814fL
    (seed >>> 33).toInt % bound
  }

  private def put(id: Int): Unit = {
    rows.sides(id) = draw(2)
    rows.keys(id) = draw(100)
    rows.lasts(id) = tick + 1 + draw(lives)
    policy.observed(rows.sides(id), rows.keys(id).toLong)
    policy.arrived(id, 0)
  }

  /** So often a tick passes, a stored row is matched, and one goes for one that comes. */
  def churn(times: Int): Unit = {
    var i = 0
    while (i < times) {
      tick += 1
      policy.advance(tick)
      policy.matched(draw(size))
      val victim = policy.nextVictim()
      policy.removed(victim)
      put(victim)
      i += 1
    }
  }
}

object ChurnedStore {
  final private class Rows(size: Int) extends RowFacts {
    val sides, keys = new Array[Int](size)
    val lasts = new Array[Long](size)
    def side(row: Int): Int = sides(row)
    def key(row: Int): Int = keys(row)
    def value(row: Int): Long = keys(row).toLong
    def lastTick(row: Int): Long = lasts(row)
    def importance(row: Int): Double = 1.0 + keys(row) % 7
    def compareContent(a: Int, b: Int): Int = Integer.compare(a, b)
  }
}
