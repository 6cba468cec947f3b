package shedjoin.core.policy

/** A policy, or a setting of one, that can not be. */
final class PolicyException(message: String) extends IllegalArgumentException(message)
