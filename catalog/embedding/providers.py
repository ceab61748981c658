"""The providers of embedding models that are reached through LiteLLM, and over what."""

OVER_SDK = frozenset("openai fireworks_ai litellm_proxy mistral nebius nvidia_nim together_ai xinference".split())
"""Providers that LiteLLM reaches through the OpenAI client that it is handed."""
OVER_HTTP = frozenset(
    "cohere dashscope databricks hosted_vllm infinity jina_ai lm_studio openrouter sambanova volcengine voyage".split()
)
"""Providers that LiteLLM reaches through the HTTP handler that it is handed; others would get connections of its own."""
