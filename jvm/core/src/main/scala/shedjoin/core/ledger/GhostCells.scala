package shedjoin.core.ledger

import java.io.{DataInput, DataOutput}
import java.lang.Float.{floatToRawIntBits, intBitsToFloat}
import java.util.Arrays

import shedjoin.core.join.{JoinShape, Side}
import shedjoin.core.{Budget, Mixer}

/** The ghosts: shed rows, counted by side, key and bucket of event time, and sampled by what they are expected to lose.
  *
  * A cell is remembered with probability min(1, score / tau) and weighs as much less often as it is remembered
  * (threshold sampling; DESIGN section 6). Scores are taken down to powers of 2 (octaves) and tau is a power of 2^(1/4), so
  * ghosts of a cell share one score and one weight, exactly. The draw is a hash of what the cell is: all ghosts of a cell
  * are remembered, or none. When the table is full, what expired goes, then tau rises, and cells go by the same draw;
  * when there is much room tau falls, and cells made from then on draw anew, for they belong to another era.
  *
  * Representation: `Cell`s side by side in one array, chained by key hash. None is taken out alone: when the table is
  * full all are looked at, and chained anew.
  */
final private[ledger] class GhostCells(
    capacity: Int,
    buckets: Array[Buckets],
    seed: Long,
    losses: LossSums,
    ages: MatchAges,
    budget: Budget
) {
  import GhostCells._
  budget.reserve(bytes(capacity))
  private val cells = new Array[Int](capacity * Cell.Stride)
  private val heads = new Array[Int](headCount(capacity))
  private var used = 0
  Arrays.fill(heads, None)

  /** Buckets that end at or before these times, by side, hold nothing that can be reached. */
  private val bounds = Array(JoinShape.NoBound, JoinShape.NoBound)

  /** Four times the octave of tau. */
  private var tau = 4 * Cell.LeastOctave
  private var era = 0
  private var offered = 0
  private var isSampling = false

  /** Seeds that are near each other must not share draws. */
  private val salt = Mixer(seed)

  def expireUpTo(side: Int, bound: Long): Unit = bounds(side) = math.max(bounds(side), bound)

  /** Remembers a shed row, or not. O(1) amortised, and O(its cells) for a key. */
  def add(side: Int, key: Int, time: Long, score: Double): Unit = {
    reviewTau()
    val octave = octaveOf(score)
    val level = levelOf(octave)
    if (level > 0) {
      isSampling = true
      losses.offered(side, score, Cell.weight(math.min(level, Cell.MostLevel)))
    }
    val isTimeless = time == JoinShape.NoTime
    val bucket = if (isTimeless) 0 else buckets(side).bucket(time).toInt
    val offset = if (isTimeless) 0 else buckets(side).offset(time)
    if (level <= Cell.MostLevel) {
      val kind = Cell.kind(side, isTimeless, octave, level, offset, era)
      if (Cell.isSampled(draw(key, bucket, kind), level)) count(key, bucket, kind, offset)
    }
  }

  /** Whether ghosts of this score would not all be remembered. O(1). */
  def samples(score: Double): Boolean = levelOf(octaveOf(score)) > 0

  private def octaveOf(score: Double): Int = math.min(0, math.max(Cell.LeastOctave, Math.getExponent(score)))

  private def levelOf(octave: Int): Int = math.max(0, tau - 4 * octave)

  private def draw(key: Int, bucket: Int, kind: Int): Int = {
    val what = (Cell.octave(kind) - Cell.LeastOctave) * Cell.Eras + Cell.era(kind)
    val place = (bucket.toLong << 32) | ((kind >>> 30).toLong << 16) | what
    (Mixer(Mixer(salt ^ place) + key) >>> 32).toInt
  }

  private def count(key: Int, bucket: Int, kind: Int, offset: Int): Unit = {
    val at = find(key, bucket, kind)
    if (at != None && cells(at + Cell.Count) < Int.MaxValue) {
      cells(at + Cell.Count) += 1
      cells(at + Cell.Kind) = Cell.widened(cells(at + Cell.Kind), offset)
    } else if (used < capacity) append(key, bucket, kind)
    else {
      makeRoom()
      val level = levelOf(Cell.octave(kind))
      if (level <= Cell.MostLevel && Cell.isSampled(draw(key, bucket, kind), level))
        append(key, bucket, Cell.withLevel(kind, level))
    }
  }

  /** The cell that a ghost of this kind belongs to, or `None`. */
  private def find(key: Int, bucket: Int, kind: Int): Int = {
    var at = heads(slot(key))
    while (
      at != None && !(cells(at) == key && cells(at + Cell.Bucket) == bucket && isAlike(cells(at + Cell.Kind), kind))
    )
      at = cells(at + Cell.Next)
    at
  }

  /** Whether ghosts of these kinds can be counted together: those that are certain always can. */
  private def isAlike(a: Int, b: Int): Boolean = {
    val sameSide = (a >>> 30) == (b >>> 30)
    val sameDraw = Cell.octave(a) == Cell.octave(b) && Cell.era(a) == Cell.era(b)
    sameSide && Cell.level(a) == Cell.level(b) && (Cell.level(a) == 0 || sameDraw)
  }

  private def append(key: Int, bucket: Int, kind: Int): Unit = {
    val at = used * Cell.Stride
    cells(at + Cell.Key) = key
    cells(at + Cell.Bucket) = bucket
    cells(at + Cell.Kind) = kind
    cells(at + Cell.Count) = 1
    cells(at + Cell.Sum) = 0
    chain(at)
    used += 1
  }

  private def chain(at: Int): Unit = {
    val slot = this.slot(cells(at + Cell.Key))
    cells(at + Cell.Next) = heads(slot)
    heads(slot) = at
  }

  private def slot(key: Int): Int = Mixer(key.toLong).toInt & (heads.length - 1)

  /** A row of `side` came that meets the ghosts in reach; returns how many, weighted. O(its cells). */
  def probe(side: Int, key: Int, time: Long): Double = {
    var lost = 0.0
    var at = heads(slot(key))
    val ghosts = Side.other(side)
    if (at != None) buckets(ghosts).standAt(time)
    while (at != None) {
      if (cells(at) == key && Cell.side(cells(at + Cell.Kind)) == ghosts) lost += meet(at, ghosts, time)
      at = cells(at + Cell.Next)
    }
    lost
  }

  private def meet(at: Int, side: Int, time: Long): Double = {
    val kind = cells(at + Cell.Kind)
    val count = cells(at + Cell.Count)
    val results =
      if (Cell.isTimeless(kind)) (if (buckets(side).reachesTimeless) count.toDouble else 0.0)
      else buckets(side).inReach(cells(at + Cell.Bucket), Cell.from(kind), Cell.to(kind), count)
    if (results == 0) 0
    else {
      val lost = results * Cell.weight(Cell.level(kind))
      if (Cell.level(kind) > 0) meetSampled(at, side, lost) else meetCertain(at, side, results)
      if (!Cell.isTimeless(kind) && time != JoinShape.NoTime) noteAge(at, side, time, lost)
      lost
    }
  }

  /** A cell's contributions add up before they are squared. */
  private def meetSampled(at: Int, side: Int, lost: Double): Unit = {
    val before = intBitsToFloat(cells(at + Cell.Sum)).toDouble
    val after = (before + lost).toFloat.toDouble
    cells(at + Cell.Sum) = floatToRawIntBits(after.toFloat)
    val missing = 1 - 1 / Cell.weight(Cell.level(cells(at + Cell.Kind)))
    val squares = after * after - before * before
    losses.sampled(side, lost, missing * squares, missing * (after * after * after - before * before * before))
  }

  /** Of n ghosts that lie evenly over a bucket, a rows that come evenly while its edge passes meet a n / 2, with variance
    * a^2 n / 12.
    */
  private def meetCertain(at: Int, side: Int, results: Double): Unit = {
    losses.certain(side, results)
    if (results < cells(at + Cell.Count)) {
      val rows = intBitsToFloat(cells(at + Cell.Sum)) + 1
      cells(at + Cell.Sum) = floatToRawIntBits(rows)
      losses.edge(side, (2.0 * rows - 1) * cells(at + Cell.Count) / 12)
    }
  }

  private def noteAge(at: Int, side: Int, time: Long, lost: Double): Unit = {
    val kind = cells(at + Cell.Kind)
    val age = buckets(side).age(time, cells(at + Cell.Bucket), Cell.from(kind), Cell.to(kind))
    ages.matched(side, age.toLong, lost * losses.passShare(side))
  }

  /** Each time that many rows were shed, tau falls where a fifth of the table is free. */
  private def reviewTau(): Unit = {
    offered += 1
    if (offered >= capacity) {
      offered = 0
      if (isSampling) {
        squeeze()
        if (used < capacity - capacity / 5) {
          tau -= 1
          era = (era + 1) & (Cell.Eras - 1)
        }
        isSampling = false
      }
    }
  }

  /** Frees a sixteenth of the table, at least one cell. O(capacity). */
  private def makeRoom(): Unit = {
    squeeze()
    while (used > capacity - 1 - capacity / 16) {
      tau = math.max(tau + 1, 4 * leastOctave + 1)
      squeeze()
    }
  }

  private def leastOctave: Int = {
    var least = 0
    var i = 0
    while (i < used) {
      least = math.min(least, Cell.octave(cells(i * Cell.Stride + Cell.Kind)))
      i += 1
    }
    least
  }

  /** Drops what expired and what tau drops. */
  private def squeeze(): Unit = {
    var kept = 0
    var i = 0
    while (i < used) {
      if (remains(i * Cell.Stride)) {
        System.arraycopy(cells, i * Cell.Stride, cells, kept * Cell.Stride, Cell.Stride)
        kept += 1
      }
      i += 1
    }
    used = kept
    chainAll()
  }

  private def chainAll(): Unit = {
    Arrays.fill(heads, None)
    var i = 0
    while (i < used) {
      chain(i * Cell.Stride)
      i += 1
    }
  }

  private def remains(at: Int): Boolean = {
    val kind = cells(at + Cell.Kind)
    val level = math.max(Cell.level(kind), levelOf(Cell.octave(kind)))
    val isKept = !isExpired(at, kind) && (level == Cell.level(kind) ||
      level <= Cell.MostLevel && Cell.isSampled(draw(cells(at), cells(at + Cell.Bucket), kind), level))
    if (isKept && level != Cell.level(kind)) {
      if (Cell.level(kind) == 0) cells(at + Cell.Sum) = 0
      cells(at + Cell.Kind) = Cell.withLevel(kind, level)
    }
    isKept
  }

  private def isExpired(at: Int, kind: Int): Boolean = {
    val bound = bounds(Cell.side(kind))
    bound != JoinShape.NoBound && !Cell.isTimeless(kind) &&
    cells(at + Cell.Bucket) - buckets(Cell.side(kind)).bucket(bound + 1).toInt < 0
  }

  /** What cells lost so far counts no longer. O(cells). */
  def forgetSums(): Unit = {
    var i = 0
    while (i < used) {
      cells(i * Cell.Stride + Cell.Sum) = 0
      i += 1
    }
  }

  def save(out: DataOutput): Unit = {
    bounds.foreach(out.writeLong)
    Seq(tau, era, offered, used).foreach(out.writeInt)
    out.writeBoolean(isSampling)
    (0 until used).foreach(i => (0 until Cell.Next).foreach(field => out.writeInt(cells(i * Cell.Stride + field))))
  }

  def restore(in: DataInput): Unit = {
    bounds.indices.foreach(bounds(_) = in.readLong())
    tau = in.readInt()
    era = in.readInt()
    offered = in.readInt()
    used = in.readInt()
    isSampling = in.readBoolean()
    (0 until used).foreach(i => (0 until Cell.Next).foreach(field => cells(i * Cell.Stride + field) = in.readInt()))
    chainAll()
  }

  def checkInvariants(): Unit = {
    var chained = 0
    heads.foreach { head =>
      var at = head
      while (at != None) {
        chained += 1
        val kind = cells(at + Cell.Kind)
        assert(slot(cells(at)) == heads.indexOf(head), s"cell ${at / Cell.Stride} in a wrong chain")
        assert(cells(at + Cell.Count) > 0 && Cell.from(kind) <= Cell.to(kind), s"cell ${at / Cell.Stride} is empty")
        assert(Cell.isSampled(draw(cells(at), cells(at + Cell.Bucket), kind), Cell.level(kind)))
        at = cells(at + Cell.Next)
      }
    }
    assert(chained == used && used <= capacity, s"$chained of $used cells in chains, capacity $capacity")
  }
}

private[ledger] object GhostCells {
  private val None: Int = -1

  private def headCount(capacity: Int): Int = Integer.highestOneBit(capacity)

  def bytes(capacity: Int): Long =
    Budget.arrayBytes(capacity * Cell.Stride, 4) + Budget.arrayBytes(headCount(capacity), 4) + Budget.arrayBytes(2, 8)
}
