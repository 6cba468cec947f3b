package shedjoin.bench.stream

import shedjoin.bench.sink.OutputHash

/** The runs of one workload: rounds, in the first of which every contender ran once.
  *
  * @param tooBig
  *   those whose state would not have fitted the heap
  */
final case class Measured(
    workload: Workload,
    contenders: Seq[Contender],
    tooBig: Seq[Contender],
    rounds: Vector[Map[String, Run]]
) {

  private def roundsOf(contender: Contender) = rounds.filter(_.contains(contender.name))

  def runs(contender: Contender): Vector[Run] = roundsOf(contender).map(_(contender.name))

  def spread(contender: Contender)(figure: Run => Double): Spread = Spread.of(runs(contender).map(figure))

  /** How often as fast as another a contender is in the same round; none when the other did not run. */
  def speed(contender: Contender, against: Contender): Option[Spread] =
    Option.when(contenders.contains(against))(
      Spread.of(roundsOf(contender).map(round => round(against.name).wallSeconds / round(contender.name).wallSeconds))
    )

  /** Seconds of CPU time beyond those of the floor. */
  def cpuOverFloor(contender: Contender): Option[Spread] =
    Option.when(contenders.contains(Contender.Floor))(Spread.of(roundsOf(contender).map(overFloor(_, contender))))

  /** These, as a part of those of another. */
  def cpuOverFloor(contender: Contender, against: Contender): Option[Spread] =
    Option.when(Seq(Contender.Floor, against).forall(contenders.contains))(
      Spread.of(roundsOf(contender).map(round => overFloor(round, contender) / overFloor(round, against)))
    )

  private def overFloor(round: Map[String, Run], contender: Contender): Double =
    round(contender.name).cpu.total - round(Contender.Floor.name).cpu.total

  /** What each of the joins gave, if they did not all give the same in all rounds. */
  def differences: Seq[(String, OutputHash)] = {
    val outputs = for {
      contender <- contenders
      if contender.operator.isDefined
      run <- runs(contender)
    } yield contender.name -> run.output
    if (outputs.map(_._2).distinct.size > 1) outputs.distinct else Nil
  }
}
