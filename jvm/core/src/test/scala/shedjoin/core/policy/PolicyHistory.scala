package shedjoin.core.policy

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}

import scala.collection.mutable
import scala.util.Random

import shedjoin.core.{Budget, BudgetExceeded}

/** What a policy was told. */
sealed trait HistoryEvent

object HistoryEvent {
  final case class Advanced(tick: Long) extends HistoryEvent
  final case class Observed(side: Int, value: Int) extends HistoryEvent
  final case class Stored(row: TestRow) extends HistoryEvent
  final case class Gone(row: TestRow) extends HistoryEvent
}

/** A random history of a join's state, told to a policy step by step, whose times are multiples of `spread` ticks. So many
  * `copies` of each row come, which can not be told apart.
  */
final class PolicyHistory(
    spec: PolicySpec,
    settings: Map[String, String],
    budget: Budget,
    random: Random,
    spread: Int = 1,
    copies: Int = 1
) {
  val rows = new TestRows

  /** When each value came on each side. */
  val seen = mutable.HashMap.empty[(Int, Int), Seq[Long]].withDefaultValue(Nil)
  val latest = mutable.HashMap.empty[Int, Int]
  var tick = 0L

  /** All that the policy was told of what models learn from. */
  val log = mutable.ArrayBuffer[HistoryEvent](HistoryEvent.Advanced(0))
  private val values = 1 + random.nextInt(12)
  private val lives = Seq(3, 20, 100)(random.nextInt(3))
  private var nextId = 0
  var policy: ShedPolicy = spec(settings, PolicySetting(rows, budget, seed = 5))
  policy.advance(tick)

  def step(): Unit = random.nextInt(10) match {
    case 0 | 1 =>
      tick += spread * (if (random.nextInt(8) == 0) random.nextInt(30) else random.nextInt(3))
      policy.advance(tick)
      log += HistoryEvent.Advanced(tick)
    case 2 if rows.stored.nonEmpty => remove(anyRow())
    case 3 if rows.stored.nonEmpty => remove(policy.nextVictim())
    case 4 => rows.stored.keys.filter(rows.stored(_).lastTick <= tick).toSeq.foreach(remove)
    case _ => arrive()
  }

  private def anyRow(): Int = rows.stored.keys.toSeq(random.nextInt(rows.stored.size))

  private def arrive(): Unit = {
    val (side, value) = (random.nextInt(2), random.nextInt(values))
    val life = if (random.nextInt(10) == 0) RowFacts.Never else tick + spread * random.nextInt(lives)
    val row = TestRow(side, value, life, 1.0 + random.nextInt(5), random.nextInt(50), tick)
    (1 to copies).foreach(_ => arrive(row.copy()))
  }

  private def arrive(row: TestRow): Unit = {
    import row.{side, value}
    seen((side, value)) :+= tick
    latest(side) = value
    policy.observed(side, value.toLong)
    log += HistoryEvent.Observed(side, value)
    val partners = rows.stored.filter { case (_, row) => row.side != side && row.value == value }.keys.toSeq
    partners.foreach { partner =>
      rows.stored(partner).matches += ((tick, 1))
      policy.matched(partner)
    }
    if (partners.nonEmpty) row.matches += ((tick, partners.size))
    row.metFirst = partners.size
    store(row, partners.size)
  }

  /** Ids are used again, as the state uses them. A policy that was refused memory once is asked again. */
  private def store(row: TestRow, matches: Int): Unit = {
    val free = (0 until nextId).filterNot(rows.stored.contains)
    val id = if (free.nonEmpty && random.nextInt(3) > 0) free(random.nextInt(free.size)) else nextId
    nextId = math.max(nextId, id + 1)
    rows.stored(id) = row
    try policy.arrived(id, matches)
    catch { case _: BudgetExceeded => policy.arrived(id, matches) }
    log += HistoryEvent.Stored(row)
  }

  private def remove(id: Int): Unit = {
    policy.removed(id)
    log += HistoryEvent.Gone(rows.stored(id))
    rows.stored.remove(id)
  }

  def saved: Array[Byte] = {
    val bytes = new ByteArrayOutputStream
    policy.save(new DataOutputStream(bytes))
    bytes.toByteArray
  }

  /** Goes on with a policy that was restored from what this one saves. */
  def restart(): Unit = policy = copied()

  /** Another policy that knows what this one does. */
  def copied(): ShedPolicy = {
    val bytes = saved
    val copy = spec(settings, PolicySetting(rows, Budget.unlimited, seed = 5))
    copy.restore(new DataInputStream(new ByteArrayInputStream(bytes)))
    copy
  }

  /** The victims that would follow one another, if nothing else happened. */
  def nextVictims(): Seq[TestRow] = {
    val kept = rows.stored.clone()
    val victims = kept.toSeq.map { _ =>
      val id = policy.nextVictim()
      val row = rows.stored(id)
      remove(id)
      row
    }
    rows.stored ++= kept
    victims
  }
}
