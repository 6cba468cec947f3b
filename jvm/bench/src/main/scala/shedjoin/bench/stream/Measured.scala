package shedjoin.bench.stream

import shedjoin.bench.sink.OutputHash

/** The runs of one workload: rounds, in each of which every contender ran once.
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

  def runs(contender: Contender): Vector[Run] = rounds.map(_(contender.name))

  def spread(contender: Contender)(figure: Run => Double): Spread = Spread.of(runs(contender).map(figure))

  /** A figure of a contender over that of another in the same round; none when the other did not run. */
  def ratio(contender: Contender, to: Contender)(figure: Run => Double): Option[Spread] =
    Option.when(contenders.contains(to))(
      Spread.of(rounds.map(round => figure(round(contender.name)) / figure(round(to.name))))
    )

  /** Microseconds of CPU time a row beyond those of the floor. */
  def cpuOverFloor(contender: Contender): Option[Spread] =
    Option.when(contenders.contains(Contender.Floor) && workload.rows > 0)(
      Spread.of(rounds.map { round =>
        (round(contender.name).cpuSeconds - round(Contender.Floor.name).cpuSeconds) * 1e6 / workload.rows
      })
    )

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
