"""What somebody new is shown on the sample: a gallery of tasks to run, and a tour through one recorded run."""
