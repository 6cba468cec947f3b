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
    assert(refusal("heeb", "model" -> "ar1").contains("stationary or trend or walk"))
    assert(refusal("prob", "left_rates" -> "0.1 x").contains("numbers"))
    assert(refusal("random", "split" -> "half").contains("auto or a number from 0 to 1"))
    assert(refusal("prob", "sketch_width" -> "1000").contains("1024"))
    assert(refusal("heeb", "model" -> "trend", "left_noise" -> "0.5 0.5").contains("odd"))
    assert(refusal("heeb", "model" -> "walk", "left_step" -> "0.5 0.5 0.5").contains("sum of 1"))
  }

  test("a setting of another model than the chosen one is refused") {
    assert(refusal("heeb", "model" -> "walk", "left_slope" -> "1").contains("left_slope"))
    assert(refusal("heeb", "left_slope" -> "1").contains("model is stationary"))
  }
}
