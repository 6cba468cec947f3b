package shedjoin.core.policy

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Budget

class PolicyRegistrySuite extends AnyFunSuite {

  private def made(name: String, settings: (String, String)*): ShedPolicy =
    PolicyRegistry(name)(settings.toMap, PolicySetting(new TestRows, Budget.unlimited, 1))

  private def refusal(name: String, settings: (String, String)*): String =
    intercept[PolicyException](made(name, settings: _*)).getMessage

  test("every policy is made with its defaults, and says what it and its settings do") {
    PolicyRegistry.all.foreach { spec =>
      made(spec.name)
      assert(spec.doc.nonEmpty && spec.doc.endsWith(".") && spec.parameters.forall(_.doc.nonEmpty))
      assert(spec.parameters.map(_.name).distinct.size == spec.parameters.size)
    }
    assert(PolicyRegistry.all.map(_.name).distinct.size == PolicyRegistry.all.size)
  }

  test("an unknown policy is refused with the names of those that are") {
    val said = intercept[PolicyException](PolicyRegistry("fifo")).getMessage
    assert(said.startsWith("[SHEDJOIN_POLICY_UNKNOWN]") && said.contains("'fifo'") && said.contains("oldest_first"))
  }

  test("an unknown setting is refused with the names of those that are") {
    val said = refusal("ijoin", "maturty" -> "3")
    assert(said.startsWith("[SHEDJOIN_POLICY_SETTING]") && said.contains("'maturty'") && said.contains("maturity"))
    assert(refusal("random", "seed" -> "1").contains("settings are: split."))
  }

  test("a setting that can not be is refused with what is allowed") {
    assert(refusal("ijoin", "decay" -> "-1").contains("a number from 0"))
    assert(refusal("ijoin", "maturity" -> "1.5").contains("a whole number"))
    assert(refusal("heeb", "model" -> "ar2").contains("stationary or trend or walk or ar1 or table"))
    assert(refusal("heeb", "alpha" -> "taught").contains("learned"))
    assert(refusal("prob", "left_rates" -> "0.1 x").contains("numbers"))
    assert(refusal("random", "split" -> "half").contains("auto or a number from 0 to 1"))
    assert(refusal("prob", "sketch_width" -> "1000").contains("1024"))
    assert(refusal("heeb", "model" -> "trend", "left_noise" -> "0.5 0.5").contains("odd"))
    assert(refusal("heeb", "model" -> "walk", "left_step" -> "0.5 0.5 0.5").contains("sum of 1"))
  }

  test("a setting of another model than the chosen one is refused") {
    assert(refusal("heeb", "model" -> "walk", "ar1_memory" -> "100").contains("ar1_memory"))
    assert(refusal("heeb", "model" -> "walk", "left_slope" -> "1").contains("left_slope"))
    assert(refusal("heeb", "left_slope" -> "1").contains("model is stationary"))
  }

  test("a horizon that does not end is refused where a row's life does not, with the ways out") {
    def model(name: String, settings: (String, String)*) = refusal("heeb", ("model" -> name) +: settings: _*)
    Seq("inf", "inv").foreach { horizon =>
      val said = Seq(
        model("walk", "horizon" -> horizon),
        model("ar1", "horizon" -> horizon),
        model("trend", "horizon" -> horizon, "left_slope" -> "1"),
        model("table", "horizon" -> horizon)
      )
      said.foreach { text =>
        assert(text.startsWith("[SHEDJOIN_POLICY_SETTING] horizon") && text.contains(s"'$horizon'"))
        assert(text.contains("exp or fixed"), text)
      }
      made("heeb", "model" -> "trend", "horizon" -> horizon, "left_slope" -> "1", "right_slope" -> "2")
      made("heeb", "horizon" -> horizon)
      val endless = PolicySetting(new TestRows, Budget.unlimited, 1, livesEnd = false)
      val text = intercept[PolicyException](PolicyRegistry("heeb")(Map("horizon" -> horizon), endless)).getMessage
      assert(text.contains("window"), text)
    }
  }

  test("settings of another horizon, a table that is none, and an alpha that can not be learned are refused") {
    assert(refusal("heeb", "horizon" -> "inf", "alpha" -> "3").contains("horizon is inf"))
    assert(refusal("heeb", "horizon_steps" -> "3").contains("horizon is exp"))
    assert(refusal("heeb", "alpha" -> "learned").contains("stationary"))
    assert(
      refusal("heeb", "model" -> "table", "table_values" -> "2", "left_table" -> ".5 .5 .5").contains("table_values")
    )
    assert(refusal("heeb", "model" -> "table", "table_values" -> "2", "left_table" -> ".7 .5").contains("at most 1"))
  }
}
