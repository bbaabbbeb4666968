"""What ontocrawl costs and finds: each module measures one thing and writes its page of docs/benchmarks."""
