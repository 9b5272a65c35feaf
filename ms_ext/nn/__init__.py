"""placeholder"""
Dense=ReLU=Sigmoid=Tanh=SiLU=Identity=None
