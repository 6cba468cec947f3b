package shedjoin.bench.stream

/** What of the benchmark is run.
  *
  * @param only
  *   the names of the workloads and of the parts that need no Spark: `structures`, those of the state by themselves;
  *   `partition`, what one partition does with a row; `policies`, the shedding policies. None for all
  * @param contenders
  *   the names of the contenders; none for those of the workload
  * @param rounds
  *   none for those of the workload
  * @param rows
  *   a batch of a side of the base workload
  * @param minutes
  *   after which no further run is started
  */
final case class Settings(
    isQuick: Boolean = false,
    only: Seq[String] = Nil,
    contenders: Seq[String] = Nil,
    rounds: Option[Int] = None,
    rows: Option[Int] = None,
    minutes: Option[Double] = None
) {
  def isWhole: Boolean = this == Settings()

  /** As `make bench` takes them. */
  def variables: Seq[String] =
    Option.when(isQuick)("QUICK=1").toSeq ++
      Option.when(only.nonEmpty)(s"ONLY=${only.mkString(",")}") ++
      Option.when(contenders.nonEmpty)(s"CONTENDERS=${contenders.mkString(",")}") ++
      rounds.map(n => s"ROUNDS=$n") ++
      rows.map(n => s"ROWS=$n") ++
      minutes.filterNot(_ => isQuick).map(m => s"MINUTES=$m")

  /** Whether one of `Settings.Parts` is run. All policies take longer than a quick run has. */
  def takes(part: String): Boolean = only.contains(part) || only.isEmpty && !(isQuick && part == Settings.Policies)

  /** The chosen workloads, with the chosen contenders and rounds. */
  def workloads: Seq[Workload] = {
    val known = new Workloads(rows.getOrElse(if (isQuick) Settings.QuickRows else Settings.Rows)).all
    val wanted = if (only.nonEmpty) only else if (isQuick) Settings.QuickWorkloads else known.map(_.name)
    chosen("workload", wanted.diff(Settings.Parts), known)(_.name, Settings.Parts).map { workload =>
      val defaults = if (isQuick) Settings.QuickContenders else workload.contenders
      workload.copy(
        contenders = if (contenders.nonEmpty) contenders else defaults,
        rounds = rounds.getOrElse(if (isQuick) workload.rounds / 2 else workload.rounds)
      )
    }
  }

  def contendersOf(workload: Workload): Seq[Contender] =
    chosen("contender", workload.contenders, Contender.all)(_.name)

  private def chosen[A](what: String, names: Seq[String], known: Seq[A])(
      name: A => String,
      besides: Seq[String] = Nil
  ) = {
    val there = known.map(name)
    val unknown = names.diff(there)
    require(unknown.isEmpty, s"no $what ${unknown.mkString(", ")}; there are ${(besides ++ there).mkString(", ")}")
    known.filter(one => names.contains(name(one)))
  }
}

object Settings {
  val Structures = "structures"
  val Partition = "partition"
  val Policies = "policies"

  /** What runs without Spark. */
  private val Parts = Seq(Structures, Partition, Policies)

  private val Rows = 100000
  private val QuickRows = 25000
  private val QuickWorkloads = Seq("base", "outer", "small")
  private val QuickContenders = Seq(Contender.Floor, Contender.Hdfs, Contender.Shed).map(_.name)
  private val QuickMinutes = 3.5

  val Usage: String =
    "StreamBench [--quick] [--only structures|partition|policies|WORKLOAD,...] [--contenders NAME,...] [--rounds N] " +
      "[--rows N] [--minutes M]"

  def of(args: Seq[String]): Settings = args match {
    case Seq() => Settings()
    case "--quick" +: rest => quick(of(rest))
    case Seq("--only", names, rest @ _*) => of(rest).copy(only = names.split(',').toSeq)
    case Seq("--contenders", names, rest @ _*) => of(rest).copy(contenders = names.split(',').toSeq)
    case Seq("--rounds", rounds, rest @ _*) => of(rest).copy(rounds = Some(rounds.toInt))
    case Seq("--rows", rows, rest @ _*) => of(rest).copy(rows = Some(rows.toInt))
    case Seq("--minutes", minutes, rest @ _*) => of(rest).copy(minutes = Some(minutes.toDouble))
    case other => throw new IllegalArgumentException(s"what is ${other.head}? $Usage")
  }

  private def quick(settings: Settings): Settings =
    settings.copy(isQuick = true, minutes = settings.minutes.orElse(Some(QuickMinutes)))
}
