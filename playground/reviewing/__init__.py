"""What recorded runs say of searches: findings by rule, the queries that want a look, and searches asked again."""
