package shedjoin.bench.stream

import shedjoin.bench.Deadline

/** Runs the contenders of a workload in turns, each round beginning with another, and says how it goes. */
final class Rounds(runner: Runner, settings: Settings, deadline: Deadline) {

  /** None when time is up before the first round is complete. */
  def measure(workload: Workload): Option[Measured] = {
    val (contenders, tooBig) = settings.contendersOf(workload).partition(_.fits(workload))
    println(s"\n${workload.name}: ${workload.title}")
    tooBig.foreach(contender => println(s"  ${contender.name} is left out: it needs more heap"))
    runner.prepare(workload)
    contenders.filterNot(_ => deadline.isOver).foreach { contender =>
      println(s"  warming up ${contender.name}")
      runner.warmUp(workload, contender, warmUpSeconds)
    }
    val rounds = (1 to workload.rounds).iterator.map(round(workload, contenders, _)).takeWhile(_.isDefined).flatten
    val measured = Measured(workload, contenders, tooBig, rounds.toVector)
    measured.differences.foreach { case (name, output) => println(s"  OUTPUTS DIFFER: $name $output") }
    Option.when(measured.rounds.nonEmpty)(measured)
  }

  private def round(workload: Workload, contenders: Seq[Contender], number: Int): Option[Map[String, Run]] = {
    val first = (number - 1) % contenders.size
    val order = (contenders.drop(first) ++ contenders.take(first)).filter(_.mostRounds >= number)
    val runs = order.iterator.map(one(workload, _, number)).takeWhile(_.isDefined).flatten.toVector
    Option.when(runs.size == order.size)(runs.map(run => run.contender -> run).toMap)
  }

  private def one(workload: Workload, contender: Contender, round: Int): Option[Run] =
    Option.when(!deadline.isOver) {
      val run = runner.run(workload, contender)
      println(
        f"  round $round of ${workload.rounds}  ${contender.name}%-15s ${run.wallSeconds}%7.2f s " +
          f"${run.rowsASecond}%,10.0f rows/s  CPU ${run.cpu.total}%7.2f s  ${run.output}"
      )
      run
    }

  private def warmUpSeconds = if (settings.isQuick) 5 else 10
}
